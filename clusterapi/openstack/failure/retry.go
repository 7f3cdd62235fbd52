package failure

import (
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// A Retry says when another attempt makes sense.
type Retry struct {
	After       time.Duration // the server's request; zero without one
	First, Last time.Duration // the delays double from First to Last
}

// The retries of this package. Clouds use the same delays for classes of their own.
var (
	quick   = Retry{First: 5 * time.Second, Last: 5 * time.Minute}
	recheck = Retry{First: 2 * time.Minute, Last: 10 * time.Minute}
	slow    = Retry{First: SlowPoll, Last: SlowPoll}
)

// maxAfter limits what a server can request. A longer pause would not survive a wrong clock.
const maxAfter = time.Hour

// spread is how much longer or shorter a delay becomes at random.
const spread = 0.2

// Delay returns the time until the next attempt. The first failed attempt has the number 0. The
// delay doubles from First to Last, and random, from 0 to 1, makes it up to 20 % shorter or
// longer. It is never shorter than After, and then up to 20 % longer. So the objects that a server
// refused together do not return together.
func (r Retry) Delay(attempt int, random float64) time.Duration {
	if !(random >= 0 && random <= 1) {
		random = 0.5
	}
	wait, last := max(r.First, 0), max(r.First, r.Last, 0)
	for ; attempt > 0 && 0 < wait && wait < last; attempt-- {
		wait = min(2*wait, last)
		if wait < 0 {
			wait = last
		}
	}
	if r.After >= wait {
		return stretch(r.After, 1+spread*random)
	}
	return max(r.After, stretch(wait, 1-spread+2*spread*random))
}

// stretch multiplies a duration, without an overflow.
func stretch(d time.Duration, factor float64) time.Duration {
	if product := float64(d) * factor; product < math.MaxInt64 {
		return time.Duration(product)
	}
	return math.MaxInt64
}

// after returns how long a server asks to wait, from the headers of its response. A date is
// compared with the server's own clock, in the header Date. The headers of a rate limit count only
// if it was exceeded, because some services send them with each response.
func after(h http.Header, limited bool) time.Duration {
	now, err := http.ParseTime(h.Get("Date"))
	dated := err == nil
	if v := strings.TrimSpace(h.Get("Retry-After")); v != "" {
		if d, ok := seconds(v); ok {
			return limit(d)
		}
		if at, err := http.ParseTime(v); err == nil && dated {
			return limit(at.Sub(now))
		}
	}
	if !limited {
		return 0
	}
	for _, name := range []string{"X-RateLimit-Retry-After", "X-RateLimit-Reset", "RateLimit-Reset"} {
		d, ok := seconds(strings.TrimSpace(h.Get(name)))
		switch {
		case !ok:
		case d < epoch:
			return limit(d)
		case dated: // the seconds since 1970
			return limit(d - time.Duration(now.Unix())*time.Second)
		}
	}
	return 0
}

// epoch separates durations from points in time: no server asks for a pause of 10 years, and no
// response is from before 1980.
const epoch = 10 * 365 * 24 * time.Hour

// seconds reads a number of seconds, which may have a fraction.
func seconds(s string) (time.Duration, bool) {
	n, err := strconv.ParseFloat(s, 64)
	if err != nil || !(n >= 0 && n < math.MaxInt64/float64(time.Second)) {
		return 0, false
	}
	return time.Duration(math.Ceil(n * float64(time.Second))), true
}

func limit(d time.Duration) time.Duration { return min(max(d, 0), maxAfter) }
