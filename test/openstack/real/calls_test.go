package real

import (
	"testing"
	"testing/synctest"

	"github.com/gophercloud/gophercloud/v2"

	"kstatus.dev/test/openstack/fakestack"
	"kstatus.dev/test/openstack/fakestack/calls"
	"kstatus.dev/test/openstack/openstackkit"
)

// The real services answer all calls as the fake does: with the same status codes and messages,
// and with all fields that the fake has.
func TestCalls(t *testing.T) {
	f := newFixture(t)
	var real, fake calls.Shapes
	r, err := calls.Start(t.Context(), f.options(), openstackkit.Region, prepared, &real)
	check(t, "authenticate", err)
	t.Run("real", r.Test)
	if left := f.owned(t); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
	t.Run("fake", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			const url = "http://cloud.test"
			cloud := fakestack.New(fakestack.Options{})
			cloud.AddAccount("demo", password, "demo")
			fake.Next = cloud
			admin, err := calls.Login(t.Context(), optionsOf(url, "admin", "admin"), cloud)
			check(t, "authenticate at the fake", err)
			fakePrepared, err := calls.Prepare(t.Context(), admin, fakestack.Region)
			check(t, "prepare the fake", err)
			r, err := calls.Start(t.Context(), optionsOf(url, "demo", password), fakestack.Region, fakePrepared, &fake)
			check(t, "authenticate at the fake", err)
			r.Test(t)
		})
	})
	for _, d := range calls.Differences(&fake, &real) {
		t.Error(d)
	}
}

// optionsOf returns the credentials of a user of the fake, in the project of the same name.
func optionsOf(url, user, password string) gophercloud.AuthOptions {
	return gophercloud.AuthOptions{IdentityEndpoint: url + "/identity/v3", Username: user, Password: password, TenantName: user, DomainName: "Default"}
}
