package managedfields_test

import (
	"encoding/json"
	"testing"

	"kstatus.dev/status/internal/managedfields"
)

const (
	early = "2024-05-01T10:00:00Z"
	late  = "2024-05-01T11:00:00Z"
)

func TestRead(t *testing.T) {
	const (
		spec      = `{"manager":"kubectl","time":"` + early + `","fieldsV1":{"f:metadata":{},"f:spec":{}}}`
		label     = `{"manager":"kubectl","time":"` + late + `","fieldsV1":{"f:metadata":{}}}`
		report    = `{"manager":"c","subresource":"status","time":"` + early + `","fieldsV1":{"f:status":{}}}`
		newer     = `{"manager":"d","subresource":"status","time":"` + late + `","fieldsV1":{"f:status":{}}}`
		scale     = `{"manager":"hpa","subresource":"scale","time":"` + late + `","fieldsV1":{"f:spec":{}}}`
		both      = `{"manager":"c","time":"` + early + `","fieldsV1":{"f:spec":{},"f:status":{}}}`
		plain     = `{"manager":"c","time":"` + early + `","fieldsV1":{"f:metadata":{},"f:status":{}}}`
		unnamed   = `{"time":"` + early + `","fieldsV1":{"f:spec":{}}}`
		beginning = `{"manager":"before-first-apply","time":"` + early + `","fieldsV1":{"f:spec":{}}}`
	)
	for _, c := range []struct {
		it, record, text string
		want             managedfields.Writes
	}{
		{"has no result without managedFields", `null`, "Unknown", managedfields.Writes{}},
		{"has no result with empty managedFields", `[]`, "Unknown", managedfields.Writes{}},
		{"reports that the status was never written", `[` + spec + `]`, "False", managedfields.Writes{Unwritten: true, SpecTime: early}},
		{"does not count a label as spec", `[` + label + `]`, "False", managedfields.Writes{Unwritten: true}},
		{"reports that the status was written, and the latest time", `[` + newer + `,` + spec + `,` + report + `]`, "True", managedfields.Writes{Written: true, StatusTime: late, SpecTime: early}},
		{"does not count another subresource", `[` + scale + `]`, "Unknown", managedfields.Writes{}},
		{"is ambiguous for a status that was written with the spec", `[` + both + `]`, "Unknown", managedfields.Writes{Mixed: true, SpecTime: early}},
		{"has the time of a write of only the status", `[` + plain + `]`, "Unknown", managedfields.Writes{StatusTime: early}},
		{"is ambiguous before the first entry", `[` + beginning + `]`, "Unknown", managedfields.Writes{SpecTime: early}},
		{"is ambiguous for an entry without a manager", `[` + spec + `,` + unnamed + `]`, "Unknown", managedfields.Writes{SpecTime: early}},
		{"reports the write of a status in an incomplete entry", `[` + unnamed + `,` + report + `]`, "True", managedfields.Writes{Written: true, StatusTime: early, SpecTime: early}},
		{"ignores a value that is not a list", `{"manager":"c"}`, "Unknown", managedfields.Writes{}},
		{"treats malformed entries as incomplete", `["x",7,{"manager":7,"time":7,"fieldsV1":"x"}]`, "Unknown", managedfields.Writes{}},
	} {
		t.Run(c.it, func(t *testing.T) {
			got := managedfields.Read(decode(t, c.record))
			if got != c.want {
				t.Errorf("Read(%s) = %+v, want %+v", c.record, got, c.want)
			}
			if got.Text() != c.text {
				t.Errorf("Read(%s).Text() = %s, want %s", c.record, got.Text(), c.text)
			}
		})
	}
}

func decode(t *testing.T, text string) (v any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatal(err)
	}
	return v
}

// Read accepts any value, and never reports the status as both written and unwritten.
func FuzzRead(f *testing.F) {
	f.Add(`[{"manager":"c","subresource":"status","fieldsV1":{"f:status":{}}},{"manager":"d"}]`)
	f.Add(`[null,[],{"fieldsV1":[]}]`)
	f.Fuzz(func(t *testing.T, text string) {
		var v any
		if json.Unmarshal([]byte(text), &v) != nil {
			return
		}
		if w := managedfields.Read(v); w.Written && w.Unwritten {
			t.Errorf("Read(%s) = %+v", text, w)
		}
	})
}
