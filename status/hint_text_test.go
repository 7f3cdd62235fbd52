package status_test

import (
	"reflect"
	"testing"

	"kstatus.dev/status"
)

// Whatever a hint says, it tells.
func TestAHintTellsEachOfItsFields(t *testing.T) {
	if text := new(status.Hint).String(); text != "" {
		t.Errorf("a hint that says nothing tells %q", text)
	}
	for i := range reflect.TypeFor[status.Hint]().NumField() {
		h := new(status.Hint)
		field := reflect.ValueOf(h).Elem().Field(i)
		switch field.Kind() {
		case reflect.Slice:
			field.Set(reflect.MakeSlice(field.Type(), 1, 1))
			if enum, ok := field.Index(0).Addr().Interface().(*status.Enum); ok {
				enum.Values = map[int64]status.Named{1: {}}
			}
		case reflect.Map:
			field.Set(reflect.MakeMap(field.Type()))
			field.SetMapIndex(reflect.ValueOf("word"), reflect.Zero(field.Type().Elem()))
		case reflect.String:
			field.SetString("x")
		case reflect.Bool:
			field.SetBool(true)
		}
		if h.String() == "" {
			t.Errorf("Hint.%s is not told", reflect.TypeFor[status.Hint]().Field(i).Name)
		}
	}
}
