// Command conditions is a program that uses apimachinery and imports package conditions.
package main

import (
	"fmt"

	"kstatus.dev/author/conditions"
)

func main() {
	set, err := conditions.NewSet(conditions.Summary("Ready", "ServerUp"), conditions.Positive("ServerUp"))
	fmt.Println(set != nil, err)
}
