package messages_test

import (
	"errors"
	"fmt"

	"kstatus.dev/author/conditions/messages"
)

func ExampleFromError() {
	fmt.Println(messages.FromError(errors.Join(
		errors.New("zone b: dial tcp 10.0.0.1:53211->10.0.0.9:443: refused"),
		errors.New("zone a: quota exceeded (Request-ID: 1f2e3d4c5b)"),
	)))
	// Output: zone a: quota exceeded (Request-ID: <request-id>); zone b: dial tcp <local>->10.0.0.9:443: refused
}

func ExampleStable() {
	fmt.Println(messages.Stable("server 0a1b2c3d-0000-1111-2222-333344445555 took 1.503s"))
	// Output: server 0a1b2c3d-0000-1111-2222-333344445555 took <duration>
}

func ExampleFindVolatile() {
	for _, part := range messages.FindVolatile("server 0a1b2c3d-0000-1111-2222-333344445555 took 1.503s") {
		fmt.Println(part.Class, part.Text, part.Replaced)
	}
	// Output:
	// UUID 0a1b2c3d-0000-1111-2222-333344445555 false
	// exact duration 1.503s true
}
