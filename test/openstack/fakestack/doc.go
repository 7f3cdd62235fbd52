// Package fakestack is an OpenStack in memory, behind one HTTP handler. It serves the parts of
// keystone, nova, neutron, glance and octavia that a Cluster API provider uses.
//
// It answers as the services of OpenStack Zed do, with the same status codes, fields and error
// messages. Package calls has the requests that prove it: tests run them here and in test/openstack/real
// on the real services. As in reality, names are not unique, and creations are not idempotent.
//
//	cloud := fakestack.New(fakestack.Options{})
//	server := httptest.NewServer(cloud)
//	cloud.AddAccount("demo", "secret", "demo")
//	// The URL of keystone is server.URL + "/identity/v3".
//
// A hook decides for each request whether it fails, and how: see Fault.
//
// Each service has a package below internal, and package rest there has what all of them share.
package fakestack
