module kstatus.dev/cmd/kstatus

go 1.26.0
