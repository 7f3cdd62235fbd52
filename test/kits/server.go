package main

import (
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

var version = schema.GroupVersion{Group: "kit.example.com", Version: "v1"}

// The conditions of a Server. Ready sums up the first two; Degraded is bad when
// True.
const (
	ready    = "Ready"
	serverUp = "ServerUp"
	degraded = "Degraded"
	paused   = "Paused"
)

// Server is the custom resource that all of them report on. Its definition is
// that of test/kit.
type Server struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              Spec   `json:"spec,omitempty"`
	Status            Status `json:"status,omitempty"`
}

// Spec is what is asked for.
type Spec struct {
	Size int64 `json:"size,omitempty"`
}

// Status is what is reported.
type Status struct {
	ObservedGeneration int64              `json:"observedGeneration,omitempty"`
	Initialization     *Initialization    `json:"initialization,omitempty"`
	Addresses          []string           `json:"addresses,omitempty"`
	Conditions         []metav1.Condition `json:"conditions,omitempty"`
}

// Initialization is what happens once.
type Initialization struct {
	Provisioned *bool `json:"provisioned,omitempty"`
}

// GetConditions is for all kits.
func (s *Server) GetConditions() []metav1.Condition { return s.Status.Conditions }

// SetConditions is for all kits.
func (s *Server) SetConditions(c []metav1.Condition) { s.Status.Conditions = c }

// DeepCopy is a deep copy.
func (s *Server) DeepCopy() *Server {
	c := *s
	s.ObjectMeta.DeepCopyInto(&c.ObjectMeta)
	if i := s.Status.Initialization; i != nil {
		copied := *i
		c.Status.Initialization = &copied
	}
	c.Status.Addresses = slices.Clone(s.Status.Addresses)
	c.Status.Conditions = slices.Clone(s.Status.Conditions)
	return &c
}

// DeepCopyObject is a deep copy.
func (s *Server) DeepCopyObject() runtime.Object { return s.DeepCopy() }

// condition is a stored condition, empty if it is not there.
func (s *Server) condition(typ string) metav1.Condition {
	for _, c := range s.Status.Conditions {
		if c.Type == typ {
			return c
		}
	}
	return metav1.Condition{}
}
