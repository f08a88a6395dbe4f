// Command hello is how fast a Go program can start.
package main

import "os"

func main() { _, _ = os.Stdout.WriteString("hello, world\n") }
