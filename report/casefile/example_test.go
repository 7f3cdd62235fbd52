package casefile_test

import (
	"fmt"
	"os"
	"time"

	"kstatus.dev/report/casefile"
	"kstatus.dev/status"
)

func clock() time.Time { return time.Date(2026, time.November, 20, 16, 0, 0, 0, time.UTC) }

// vat returns an object whose kind has a word that no rule knows.
func vat() status.Map {
	return status.Map{
		"apiVersion": "brewery.example.com/v1", "kind": "Vat",
		"metadata": map[string]any{"name": "stout", "namespace": "cellar", "creationTimestamp": "2026-11-20T15:00:00Z"},
		"spec":     map[string]any{"yeast": "london"},
		"status": map[string]any{
			"conditions": []any{map[string]any{
				"type": "Bottled", "status": "True", "message": "stout bottled 12/12 crates for alice@example.com",
			}},
			"host": "vat-7.cellar.example.com", "pressure": int64(3),
		},
	}
}

// Make the case of an object, and check another rule against it.
func Example() {
	e := status.Evaluator{Now: clock}
	verdict, err := e.Compute(vat())
	if err != nil {
		fmt.Println(err)
		return
	}
	c, err := casefile.New(vat(), e, *verdict)
	if err != nil {
		fmt.Println(err)
		return
	}
	c.Expected, err = casefile.ParseStatus("Current")
	if err != nil {
		fmt.Println(err)
		return
	}
	file, err := c.Format()
	if err != nil {
		fmt.Println(err)
		return
	}
	os.Stdout.Write(file)

	again, err := casefile.Parse(file)
	if err != nil {
		fmt.Println(err)
		return
	}
	bottled := func(o *status.Fields) status.Result { return status.Current("Reconciled", "bottled") }
	r, err := again.Judge(status.Evaluator{Rules: status.Rules{{Group: "brewery.example.com", Kind: "Vat"}: {Rule: bottled}}})
	fmt.Println(r, err, r.Status == again.Expected)
	fmt.Println(casefile.Expectable())
	// Output:
	// # Read this file before you publish it. kstatus has replaced names, addresses, IDs and
	// # secrets, but it cannot recognize each private word. Then open an issue of kstatus with it.
	// # verdict   InProgress NoSummary [assumed]: condition Bottled is True, but the object has no known summary condition
	// # expected  Current
	// #base {}
	// #case Vat is Current
	// #want Current
	// {
	//   "apiVersion": "brewery.example.com/v1",
	//   "kind": "Vat",
	//   "metadata": {
	//     "creationTimestamp": "2026-01-01T11:00:00Z",
	//     "name": "example",
	//     "namespace": "example-namespace"
	//   },
	//   "status": {
	//     "conditions": [
	//       {
	//         "message": "example bottled 12/12 crates for <redacted 3>",
	//         "status": "True",
	//         "type": "Bottled"
	//       }
	//     ],
	//     "host": "<redacted 2>",
	//     "pressure": 3
	//   }
	// }
	// Current Reconciled: bottled <nil> true
	// [Current InProgress Failed Terminating Unknown]
}
