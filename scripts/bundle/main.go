// Bundle writes the files that are made from other files of the repository: the window's page, the scripts that run in
// pages, and the API's types.
// With -check it writes nothing and says which of them are stale.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"cove/internal/bundle"
)

func main() {
	check := flag.Bool("check", false, "say which files are stale, and write none")
	flag.Parse()
	if err := run(*check); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(check bool) error {
	root, err := filepath.Abs(".")
	if err != nil {
		return err
	}
	// The types are sources of the page: they are written before it is made.
	for range 2 {
		made, err := bundle.Made(root)
		if err != nil {
			return err
		}
		stale, err := bundle.Stale(root, made)
		if err != nil {
			return err
		}
		slices.Sort(stale)
		if check && len(stale) > 0 {
			for _, s := range stale {
				fmt.Fprintln(os.Stderr, s)
			}
			return fmt.Errorf("%d made files are stale. Run: make bundle", len(stale))
		}
		if check || len(stale) == 0 {
			return nil
		}
		if err := write(root, made); err != nil {
			return err
		}
	}
	return nil
}

// write puts the made files in place, and removes what no source makes any more.
func write(root string, made bundle.Files) error {
	for _, folder := range bundle.Folders() {
		if err := os.RemoveAll(filepath.Join(root, filepath.FromSlash(folder))); err != nil {
			return err
		}
	}
	for name, text := range made {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, text, 0o644); err != nil {
			return err
		}
	}
	return nil
}
