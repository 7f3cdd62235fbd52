//go:build linux

package main

import (
	"fmt"
	"net/http"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// app is the program in the images. Its first argument decides how it behaves:
//
//	serve [STATUS]         serve HTTP on port 8080: the status, or 503, for /ready, 200 for /, otherwise 404
//	exit CODE TEXT…        print the text, a line for each argument, and exit
//	eat MIB                allocate memory
//	fill FILE MIB [CODE]   write a file, and exit with the code, or 143, after SIGTERM
//	print FILE             print a file
//	ignore                 ignore SIGTERM
//	wait                   exit after SIGTERM
//
// It returns its exit code.
func app(args []string) int {
	verb := "wait"
	if len(args) > 0 {
		verb, args = args[0], args[1:]
	}
	switch verb {
	case "serve":
		return serve(args)
	case "exit":
		return exit(args)
	case "eat":
		return eat(args)
	case "fill":
		return fill(args)
	case "print":
		return printFile(args)
	case "ignore":
		signal.Ignore(syscall.SIGTERM)
		fmt.Println("app: ignoring SIGTERM")
		for {
			time.Sleep(time.Hour) // simulates a program that does not end
		}
	case "wait":
		waitForEnd()
		return 0
	}
	fmt.Printf("app: unknown argument %q\n", verb)
	return 2
}

func serve(args []string) int {
	status := http.StatusServiceUnavailable
	if len(args) > 0 {
		status = number(args, 0)
	}
	fmt.Println("app: serving on port 8080")
	failed := make(chan error, 1)
	go func() {
		failed <- http.ListenAndServe(":8080", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			switch r.URL.Path {
			case "/":
				fmt.Fprintln(w, "ok")
			case "/ready":
				http.Error(w, "not ready", status)
			default:
				http.NotFound(w, r)
			}
		}))
	}()
	go func() {
		fmt.Println("app:", <-failed)
		os.Exit(1)
	}()
	waitForEnd()
	return 0
}

// waitForEnd waits for a signal to terminate.
func waitForEnd() {
	end := make(chan os.Signal, 1)
	signal.Notify(end, syscall.SIGTERM, syscall.SIGINT)
	fmt.Println("app: ended by", <-end)
}

// number returns an argument as a number, and exits if it is none.
func number(args []string, i int) int {
	if i < len(args) {
		if n, err := strconv.Atoi(args[i]); err == nil {
			return n
		}
	}
	fmt.Printf("app: want a number as argument %d of %q\n", i+1, args)
	os.Exit(2)
	return 0
}

func exit(args []string) int {
	code := number(args, 0)
	fmt.Println(strings.Join(args[1:], "\n"))
	return code
}

func eat(args []string) int {
	held := make([][]byte, number(args, 0))
	for i := range held {
		held[i] = make([]byte, 1<<20)
		for j := 0; j < len(held[i]); j += 4096 {
			held[i][j] = 1
		}
		time.Sleep(2 * time.Millisecond) // simulates a program whose memory grows
	}
	fmt.Printf("app: holding %d MiB\n", len(held))
	waitForEnd()
	return int(held[0][0]) - 1 // keeps the memory in use
}

func fill(args []string) int {
	size := number(args, 1)
	f, err := os.Create(args[0])
	for range size {
		if err == nil {
			_, err = f.Write(make([]byte, 1<<20))
		}
	}
	if err != nil {
		fmt.Println("app:", err)
		return 1
	}
	fmt.Printf("app: wrote %d MiB\n", size)
	waitForEnd()
	if len(args) > 2 {
		return number(args, 2)
	}
	return 128 + int(syscall.SIGTERM)
}

func printFile(args []string) int {
	if len(args) != 1 {
		fmt.Println("app: want a file")
		return 2
	}
	text, err := os.ReadFile(args[0])
	if err != nil {
		fmt.Println("app:", err)
		return 1
	}
	os.Stdout.Write(text)
	return 0
}
