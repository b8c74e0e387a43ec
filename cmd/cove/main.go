// Cove isolates browser profiles and lets AI agents work in them.
package main

import (
	"os"

	"cove/internal/cli"
	"cove/internal/interrupt"
)

func main() {
	ctx, stop := interrupt.Context()
	code := cli.Main(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}
