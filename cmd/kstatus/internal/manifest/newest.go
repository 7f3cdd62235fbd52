package manifest

import (
	"bytes"
	"strconv"
	"time"
)

// timeFields are the fields with times of past events. Fields with future times, such as
// notAfter of a certificate, are not among them.
var timeFields = map[string]bool{
	"creationTimestamp": true, "deletionTimestamp": true, "time": true,
	"lastTransitionTime": true, "lastUpdateTime": true, "lastProbeTime": true, "lastHeartbeatTime": true,
	"startedAt": true, "finishedAt": true, "startTime": true, "completionTime": true,
	"firstTimestamp": true, "lastTimestamp": true, "eventTime": true, "lastObservedTime": true,
	"lastScheduleTime": true, "lastSuccessfulTime": true, "renewTime": true, "acquireTime": true,
}

// NewestTime returns the newest time in the files up to notAfter, or zero without one. It reads
// the times of events, conditions, containers, writes and requested deletions. It does not
// decode the files.
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

// The lengths of the date before the T of a time, and of the clock from the T on.
const dateLength, clockLength = len("2026-01-01"), len("T12:00:00")

// timeAround returns the time whose T is at an offset of a text, if it is the value of one of
// timeFields. For deletionTimestamp, which is when the grace period ends, it returns the time of
// the request.
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

// keyBefore returns the key of the value that begins at the end of a text, in YAML or JSON.
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

// gracePeriodBefore returns the grace period of a deletion. In printed objects, it comes right
// before the deletionTimestamp.
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
