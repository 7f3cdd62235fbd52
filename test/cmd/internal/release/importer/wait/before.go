package main

import (
	_ "k8s.io/api/apps/v1"
	_ "k8s.io/client-go/dynamic"
	_ "k8s.io/client-go/restmapper"
)
