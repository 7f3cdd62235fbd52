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
		{"knows nothing without a record", `null`, "Unknown", managedfields.Writes{}},
		{"knows nothing by an empty record", `[]`, "Unknown", managedfields.Writes{}},
		{"knows that nobody has written the status", `[` + spec + `]`, "False", managedfields.Writes{Unwritten: true, SpecTime: early}},
		{"counts no label as the spec", `[` + label + `]`, "False", managedfields.Writes{Unwritten: true}},
		{"knows that the status was written, and when last", `[` + newer + `,` + spec + `,` + report + `]`, "True", managedfields.Writes{Written: true, StatusTime: late, SpecTime: early}},
		{"counts no other subresource", `[` + scale + `]`, "Unknown", managedfields.Writes{}},
		{"does not know who wrote a status that came with the spec", `[` + both + `]`, "Unknown", managedfields.Writes{Mixed: true, SpecTime: early}},
		{"has the time of a write of the status alone", `[` + plain + `]`, "Unknown", managedfields.Writes{StatusTime: early}},
		{"does not know what came before the record", `[` + beginning + `]`, "Unknown", managedfields.Writes{SpecTime: early}},
		{"does not know by an entry without a manager", `[` + spec + `,` + unnamed + `]`, "Unknown", managedfields.Writes{SpecTime: early}},
		{"knows the write of a status in an incomplete record", `[` + unnamed + `,` + report + `]`, "True", managedfields.Writes{Written: true, StatusTime: early, SpecTime: early}},
		{"reads no map", `{"manager":"c"}`, "Unknown", managedfields.Writes{}},
		{"takes entries of other shapes for incomplete ones", `["x",7,{"manager":7,"time":7,"fieldsV1":"x"}]`, "Unknown", managedfields.Writes{}},
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
