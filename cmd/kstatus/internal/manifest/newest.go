package manifest

import (
	"bytes"
	"strconv"
	"time"
)

// The fields that hold when something was written, seen or done. Fields that hold when something is due,
// such as notAfter of a certificate, are not among them.
var timeFields = map[string]bool{
	"creationTimestamp": true, "deletionTimestamp": true, "time": true,
	"lastTransitionTime": true, "lastUpdateTime": true, "lastProbeTime": true, "lastHeartbeatTime": true,
	"startedAt": true, "finishedAt": true, "startTime": true, "completionTime": true,
	"firstTimestamp": true, "lastTimestamp": true, "eventTime": true, "lastObservedTime": true,
	"lastScheduleTime": true, "lastSuccessfulTime": true, "renewTime": true, "acquireTime": true,
}

// NewestTime returns the newest time in the files that is not later than another time: of events, conditions
// and containers, and of when objects were written or their deletion was requested. It is zero if there is
// none. The files are not decoded.
func NewestTime(inputs []Input, notAfter time.Time) (newest time.Time) {
	for _, in := range inputs {
		for text, at := in.Text, 0; ; at++ {
			i := bytes.IndexByte(text[at:], 'T')
			if i < 0 {
				break
			}
			at += i
			if t := timeAround(text, at); t.After(newest) && !t.After(notAfter) {
				newest = t
			}
		}
	}
	return newest
}

// How long the date and the time are around the T between them.
const dateLength, clockLength = len("2026-01-01"), len("T12:00:00")

// timeAround returns the time that has its T at an offset of a text, if it is the value of one of timeFields.
// The time of a deletion is when it was requested: the field holds when the grace period ends.
func timeAround(text []byte, at int) (t time.Time) {
	begin, end := at-dateLength, at+clockLength
	if begin < 1 || end >= len(text) || text[begin+4] != '-' || text[at+3] != ':' {
		return t
	}
	for end < len(text) && bytes.IndexByte([]byte("0123456789.:+-Z"), text[end]) >= 0 {
		end++
	}
	key := keyBefore(text[:begin])
	if !timeFields[key] {
		return t
	}
	t, err := time.Parse(time.RFC3339Nano, string(text[begin:end]))
	if err != nil {
		return time.Time{}
	}
	if key == "deletionTimestamp" {
		t = t.Add(-gracePeriodBefore(text[:begin]))
	}
	return t
}

// keyBefore returns the key whose value begins at the end of a text, in YAML or JSON.
func keyBefore(text []byte) string {
	text, isKey := bytes.CutSuffix(bytes.TrimRight(text, " \t\"'"), []byte(":"))
	text = bytes.TrimRight(text, " \t\"'")
	begin := len(text)
	for begin > 0 && (text[begin-1] >= 'a' && text[begin-1] <= 'z' || text[begin-1] >= 'A' && text[begin-1] <= 'Z') {
		begin--
	}
	if !isKey {
		return ""
	}
	return string(text[begin:])
}

// gracePeriodBefore returns the grace period of a deletion, which objects as they are printed have right
// before its time.
func gracePeriodBefore(text []byte) time.Duration {
	const near = 100
	text = text[max(0, len(text)-near):]
	_, text, ok := bytes.Cut(text, []byte("deletionGracePeriodSeconds"))
	if !ok {
		return 0
	}
	text = bytes.TrimLeft(text, "\"' \t:")
	end := 0
	for end < len(text) && text[end] >= '0' && text[end] <= '9' {
		end++
	}
	seconds, err := strconv.Atoi(string(text[:end]))
	const longest = 365 * 24 * 3600
	if err != nil || seconds > longest {
		return 0
	}
	return time.Duration(seconds) * time.Second
}
