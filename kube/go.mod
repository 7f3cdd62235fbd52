module kstatus.dev/kube

go 1.26.0
