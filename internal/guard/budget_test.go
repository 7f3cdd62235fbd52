package guard

import (
	"io"
	"net/http"
	"strings"
	"testing"
)

// A server decides how many answers it sends at a time, for example by the number of its groups.
func TestResponsesShareABudget(t *testing.T) {
	const size, wantError = 1 << 20, "the answers that are read at a time have more than 256 MiB"
	client := clientFor(t, "https://example.com", func(*http.Request) *http.Response {
		return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(&repeatingReader{then: strings.Repeat(" ", size)})}
	})
	open := func() io.ReadCloser {
		answer, err := client.Get("https://example.com/apis/example.com/v1")
		if err != nil {
			t.Fatal(err)
		}
		return answer.Body
	}
	read := func(body io.ReadCloser) error {
		_, err := io.CopyN(io.Discard, body, size)
		return err
	}
	silent := open() // began before the limit was exceeded
	var bodies []io.ReadCloser
	for range maxRead / size {
		body := open()
		if err := read(body); err != nil {
			t.Fatalf("after %d answers: %v", len(bodies), err)
		}
		bodies = append(bodies, body)
	}
	for it, body := range map[string]io.ReadCloser{"one more answer": open(), "the first answer": bodies[0], "an answer without a byte": silent} {
		if err := read(body); err == nil || err.Error() != wantError {
			t.Errorf("%s: have %v, want %s", it, err, wantError)
		}
		body.Close()
	}
	for _, body := range bodies[1:] {
		body.Close()
	}
	for range 3 * maxRead / size {
		body := open()
		if err := read(body); err != nil {
			t.Fatalf("after all answers were closed: %v", err)
		}
		body.Close()
	}
}
