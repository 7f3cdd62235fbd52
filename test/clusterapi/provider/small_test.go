package provider

import (
	"k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

var get = metav1.GetOptions{}

var isNotFound, isConflict = errors.IsNotFound, errors.IsConflict
