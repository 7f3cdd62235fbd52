package main

import (
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

var groupVersion = schema.GroupVersion{Group: "ops.example.com", Version: "v1"}

// A Migration runs a command until it exits, once for each spec. Its definition is in crd.yaml.
type Migration struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              MigrationSpec   `json:"spec,omitempty"`
	Status            MigrationStatus `json:"status,omitempty"`
}

// A MigrationSpec describes the command to run.
type MigrationSpec struct {
	Image   string   `json:"image"`
	Command []string `json:"command"`
}

// A MigrationStatus reports the progress of a Migration.
type MigrationStatus struct {
	ObservedGeneration int64              `json:"observedGeneration,omitempty"`
	Conditions         []metav1.Condition `json:"conditions,omitempty"`
}

// GetConditions lets the conditions kit read the conditions.
func (m *Migration) GetConditions() []metav1.Condition { return m.Status.Conditions }

// SetConditions lets the conditions kit write the conditions.
func (m *Migration) SetConditions(c []metav1.Condition) { m.Status.Conditions = c }

// A MigrationList is a list of Migrations.
type MigrationList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Migration `json:"items"`
}

// DeepCopyObject returns a copy. controller-gen writes such methods for larger kinds.
func (m *Migration) DeepCopyObject() runtime.Object {
	c := *m
	m.ObjectMeta.DeepCopyInto(&c.ObjectMeta)
	c.Spec.Command = slices.Clone(m.Spec.Command)
	c.Status.Conditions = slices.Clone(m.Status.Conditions)
	return &c
}

// DeepCopyObject returns a copy.
func (l *MigrationList) DeepCopyObject() runtime.Object {
	c := *l
	l.ListMeta.DeepCopyInto(&c.ListMeta)
	c.Items = make([]Migration, len(l.Items))
	for i := range l.Items {
		c.Items[i] = *l.Items[i].DeepCopyObject().(*Migration)
	}
	return &c
}

func addToScheme(scheme *runtime.Scheme) error {
	scheme.AddKnownTypes(groupVersion, &Migration{}, &MigrationList{})
	metav1.AddToGroupVersion(scheme, groupVersion)
	return nil
}
