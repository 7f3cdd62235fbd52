package main

import (
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

var version = schema.GroupVersion{Group: "kit.example.com", Version: "v1"}

// The conditions of a Server. Ready is a summary of the first two; Degraded is bad when True.
const (
	ready    = "Ready"
	serverUp = "ServerUp"
	degraded = "Degraded"
	paused   = "Paused"
)

// Server is the custom resource on which all kits report. Its definition is that of test/kit.
type Server struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              Spec   `json:"spec,omitempty"`
	Status            Status `json:"status,omitempty"`
}

// Spec is the requested state.
type Spec struct {
	Size int64 `json:"size,omitempty"`
}

// Status is the reported state.
type Status struct {
	ObservedGeneration int64              `json:"observedGeneration,omitempty"`
	Initialization     *Initialization    `json:"initialization,omitempty"`
	Addresses          []string           `json:"addresses,omitempty"`
	Conditions         []metav1.Condition `json:"conditions,omitempty"`
}

// Initialization contains values that are set once.
type Initialization struct {
	Provisioned *bool `json:"provisioned,omitempty"`
}

// GetConditions is part of the interfaces of all kits.
func (s *Server) GetConditions() []metav1.Condition { return s.Status.Conditions }

// SetConditions is part of the interfaces of all kits.
func (s *Server) SetConditions(c []metav1.Condition) { s.Status.Conditions = c }

// DeepCopy returns a deep copy.
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

// DeepCopyObject returns a deep copy.
func (s *Server) DeepCopyObject() runtime.Object { return s.DeepCopy() }

// condition returns a stored condition, empty if it is missing.
func (s *Server) condition(typ string) metav1.Condition {
	for _, c := range s.Status.Conditions {
		if c.Type == typ {
			return c
		}
	}
	return metav1.Condition{}
}
