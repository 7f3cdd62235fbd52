// Package sarif has the parts of SARIF 2.1.0 that kstatus writes for code scanning:
// https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
package sarif

// A Log is a SARIF file.
type Log struct {
	Schema  string `json:"$schema"`
	Version string `json:"version"`
	Runs    []Run  `json:"runs"`
}

// A Run holds the findings of one tool.
type Run struct {
	Tool    Tool     `json:"tool"`
	Results []Result `json:"results"`
}

// NewLog returns a log of one run.
func NewLog(driver Driver, results []Result) Log {
	return Log{Schema: "https://json.schemastore.org/sarif-2.1.0.json", Version: "2.1.0", Runs: []Run{{Tool{driver}, results}}}
}

// A Tool is the program with the findings.
type Tool struct {
	Driver Driver `json:"driver"`
}

// A Driver is the tool itself, as opposed to its extensions.
type Driver struct {
	Name           string `json:"name"`
	InformationURI string `json:"informationUri"`
	Rules          []Rule `json:"rules"`
}

// A Rule is the check of a result.
type Rule struct {
	ID               string `json:"id"`
	Name             string `json:"name"`
	ShortDescription Text   `json:"shortDescription"`
	FullDescription  Text   `json:"fullDescription"`
	Help             Text   `json:"help"`
	HelpURI          string `json:"helpUri"`
	Default          Config `json:"defaultConfiguration"`
}

// A Config holds the severity of the results of a rule.
type Config struct {
	Level string `json:"level"` // none, note, warning or error
}

// A Text is plain text.
type Text struct {
	Text string `json:"text"`
}

// A Result is one finding.
type Result struct {
	RuleID       string            `json:"ruleId"`
	RuleIndex    int               `json:"ruleIndex"` // in the rules of the driver
	Level        string            `json:"level"`
	Message      Text              `json:"message"`
	Locations    []Location        `json:"locations"`
	Fingerprints map[string]string `json:"partialFingerprints"`
	Fixes        []Fix             `json:"fixes,omitempty"`
	Suppressions []Suppression     `json:"suppressions,omitempty"`
}

// A Suppression says why a result is ignored.
type Suppression struct {
	Kind          string `json:"kind"` // "inSource"
	Justification string `json:"justification"`
}

// A Location is a place in a file, or an object by its name, or both.
type Location struct {
	Physical *Physical `json:"physicalLocation,omitempty"`
	Logical  []Logical `json:"logicalLocations,omitempty"`
}

// A Physical location is a region of a file.
type Physical struct {
	Artifact Artifact `json:"artifactLocation"`
	Region   *Region  `json:"region,omitempty"`
}

// An Artifact is a file.
type Artifact struct {
	URI string `json:"uri"` // relative
}

// A Region is part of a file. Lines and columns begin with 1; the end is exclusive.
type Region struct {
	StartLine   int `json:"startLine"`
	StartColumn int `json:"startColumn,omitempty"`
	EndLine     int `json:"endLine,omitempty"`
	EndColumn   int `json:"endColumn,omitempty"`
}

// A Logical location is an object by its name.
type Logical struct {
	FullyQualifiedName string `json:"fullyQualifiedName"`
}

// A Fix is a change that fixes a result.
type Fix struct {
	Description Text     `json:"description"`
	Changes     []Change `json:"artifactChanges"`
}

// A Change is the part of a fix in one file.
type Change struct {
	Artifact     Artifact      `json:"artifactLocation"`
	Replacements []Replacement `json:"replacements"`
}

// A Replacement replaces a region by a text.
type Replacement struct {
	Deleted  Region `json:"deletedRegion"`
	Inserted *Text  `json:"insertedContent,omitempty"`
}
