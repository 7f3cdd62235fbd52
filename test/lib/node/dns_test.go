//go:build linux

package node

import (
	"slices"
	"testing"
)

func TestNoSuchName(t *testing.T) {
	header := []byte{0x12, 0x34, 1, 0, 0, 1, 0, 0, 0, 0, 0, 1}
	question := []byte("\x01a\x07invalid\x00\x00\x01\x00\x01")
	answerHeader := []byte{0x12, 0x34, 0x81, 0x83, 0, 1, 0, 0, 0, 0, 0, 0}
	for name, c := range map[string]struct{ query, want []byte }{
		"a question":                         {slices.Concat(header, question), slices.Concat(answerHeader, question)},
		"a question with an extra record":    {slices.Concat(header, question, []byte("\x00\x00\x29")), slices.Concat(answerHeader, question)},
		"an empty message":                   {nil, nil},
		"a question that is cut off":         {slices.Concat(header, question[:5]), nil},
		"a type and a class that are absent": {slices.Concat(header, question[:11]), nil},
		"two questions":                      {slices.Concat([]byte{0, 0, 1, 0, 0, 2, 0, 0, 0, 0, 0, 0}, question, question), nil},
	} {
		if have := noSuchName(c.query); !slices.Equal(have, c.want) {
			t.Errorf("noSuchName of %s = %q, want %q", name, have, c.want)
		}
	}
}
