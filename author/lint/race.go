package lint

import (
	"slices"

	"kstatus.dev/internal/decoded"
	"kstatus.dev/status"
)

// raceOpen reports whether a new object, which no controller has written to, is Current for
// cli-utils (Helm 4, Flux). It applies the rules of that library to the object that the API
// server returns.
func raceOpen(v Version) bool {
	if v.CRD == nil || v.CRD.Kind == "" || !v.Status().Exists() {
		return false
	}
	res, err := status.Evaluator{Profile: status.CompatProfile()}.Compute(status.Map(v.NewObject()))
	return err == nil && res.Status == status.CurrentStatus
}

// observedOf returns the observedGeneration of an object with the given status after defaults;
// nil if it has none.
func (v Version) observedOf(given map[string]any) any {
	o := map[string]any{}
	if given != nil {
		o["status"] = given
	}
	whole, _ := v.Schema.WithDefaults(o).(map[string]any)
	return decoded.At(whole, "status", "observedGeneration")
}

// served returns the served versions of the definition with fields in their status, the storage
// version first.
func (crd *CRD) served() []Version { return crd.family().served }

func (crd *CRD) findServed() (all []Version) {
	for _, v := range crd.Versions {
		if v.Served && decoded.Map(v.Schema.Node, "properties", "status", "properties") != nil {
			all = append(all, v)
		}
	}
	slices.SortStableFunc(all, func(a, b Version) int {
		switch {
		case a.Storage == b.Storage:
			return 0
		case a.Storage:
			return -1
		}
		return 1
	})
	return all
}

// hasSiblingWithGeneration reports whether another served version has an observedGeneration.
func (v Version) hasSiblingWithGeneration() bool {
	_, is := v.CRD.family().other(v.CRD.family().generation, v.Name)
	return is
}

// hasSiblingWithoutRace reports whether another served version is without the race.
func (v Version) hasSiblingWithoutRace() bool {
	_, is := v.CRD.family().other(v.CRD.family().withoutRace, v.Name)
	return is
}

// blocksDefault returns the keyword in the schema of observedGeneration that rejects -1; empty
// if none does.
func blocksDefault(s Schema) string {
	if least, ok := number(s.Node["minimum"]); ok && (least > -1 || least == -1 && s.Node["exclusiveMinimum"] == true) {
		return "minimum"
	}
	for _, r := range decoded.Maps(s.Node, "x-kubernetes-validations") {
		if refusesNegative.MatchString(decoded.Text(r, "rule")) {
			return "x-kubernetes-validations"
		}
	}
	return ""
}
