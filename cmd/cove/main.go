// Cove keeps browser profiles apart and lets AI agents work in them.
package main

import (
	"os"

	"cove/internal/cli"
)

func main() { os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }
