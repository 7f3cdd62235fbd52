package network

import (
	"cmp"

	"kstatus.dev/test/openstack/fakestack/internal/rest"
)

// stamps are the times of a resource of neutron.
type stamps struct {
	Created  string `json:"created_at"`
	Updated  string `json:"updated_at"`
	Revision int    `json:"revision_number"`
}

func (s *stamps) touch() {
	s.Updated = rest.Now()
	s.Created = cmp.Or(s.Created, s.Updated)
	s.Revision++
}
