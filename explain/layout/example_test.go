package layout_test

import (
	"fmt"

	"kstatus.dev/explain/layout"
)

func ExampleLine_Prefix() {
	for _, l := range []layout.Line{
		{Role: layout.RoleChain, Lead: "Deployment/api  ", Text: "2/3 available"},
		{Role: layout.RoleChain, Depth: 1, Lead: "Pod/api-0    ", Text: "0/1 ready"},
	} {
		fmt.Printf("%q\n", l.Prefix(false)+l.Lead+l.Text)
	}
	// Output:
	// "  Deployment/api  2/3 available"
	// "  `- Pod/api-0    0/1 ready"
}

func ExampleEvidenceLabel() {
	fmt.Println(layout.EvidenceLabel("spec"), layout.EvidenceLabel("lookup"), layout.EvidenceLabel("event"))
	// Output: field search event
}
