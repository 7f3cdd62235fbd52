module kstatus.dev

go 1.26.0
