package sets

import (
	"fmt"
	"strings"
	"time"

	"kstatus.dev/internal/text"
	"kstatus.dev/redact"
)

// A Revision is a revision of a Helm release, without its objects.
type Revision struct {
	Number int64
	Status string    // a status of Helm: deployed, failed, pending-upgrade and others
	Began  time.Time // when Helm began the revision
	Since  time.Time // the time of the status; zero if Helm has not recorded it
	// Description is Helm's description of a failed revision, and may contain
	// secrets. It is empty for other statuses, and if only metadata were read.
	Description string
}

// String returns the number, the status, its time, and the reason of a failure, for example
// "revision 3 failed at 2026-03-01T12:05:00Z: timed out". Secrets in the reason are redacted.
func (r Revision) String() string { return fmt.Sprintf("revision %d %s", r.Number, r.StatusText()) }

// maxDescription limits the description in texts.
const maxDescription = 4096 + len(text.Ellipsis)

// StatusText returns String without the number. The time is that of the status, or that of the
// beginning of the revision.
func (r Revision) StatusText() string {
	text, since := "is "+r.Status, " since "
	if r.Status == "failed" {
		text, since = "failed", " at "
	}
	switch {
	case !r.Since.IsZero():
		text += since + r.Since.UTC().Format(time.RFC3339)
	case !r.Began.IsZero():
		text = "began at " + r.Began.UTC().Format(time.RFC3339) + " and " + text
	}
	if why := strings.Join(strings.Fields(redact.Cut(r.Description, maxDescription)), " "); why != "" {
		text += ": " + strings.TrimSuffix(why, ".")
	}
	return text
}

// IsPending reports whether Helm has begun the revision and has not recorded its end.
func (r Revision) IsPending() bool { return strings.HasPrefix(r.Status, "pending-") }
