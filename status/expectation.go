package status

import "kstatus.dev/status/schema"

// sourceOf returns what declares an expectation.
func sourceOf(e *schema.Expectation) string {
	if e.Source == "" {
		return "its schema"
	}
	return "the schema of " + e.Source
}

// nameOf returns what has a status subresource.
func nameOf(e *schema.Expectation) string {
	if e.Source == "" {
		return "its kind"
	}
	return e.Source
}

// generationDeclarer returns, to follow "which", what declares or shows an observed
// generation, empty if nothing does.
func generationDeclarer(e *schema.Expectation) string {
	switch {
	case e.ObservedGeneration == schema.TristateYes:
		return sourceOf(e) + " declares"
	case e.ObservedGeneration == schema.TristateUnknown && e.Peers.ObservedGeneration == schema.TristateYes:
		return e.Peers.Example + " has"
	}
	return ""
}

// statusDeclarer returns, to follow "although", what declares or shows a status, empty if
// nothing does.
func statusDeclarer(e *schema.Expectation) string {
	switch {
	case e.Status == schema.TristateYes:
		return sourceOf(e) + " declares a status"
	case e.Status == schema.TristateUnknown && e.Peers.Status == schema.TristateYes:
		return e.Peers.Example + " has a status"
	}
	return ""
}
