package clients

import (
	"os"
	"os/user"
	"runtime"
	"strings"

	"cove/internal/skill"
)

// Locations returns where all clients store their servers. files are the person's files. names are the ends of the
// paths that a client reads in any folder in which it works. A program that can write there can run programs, or tell
// agents what to do.
func Locations() (files, names []string) {
	none := func(string) string { return "" }
	environments := []func(string) string{os.Getenv, none} // a client may have another environment than this process
	for _, home := range homes() {
		for _, getenv := range environments {
			e := Env{OS: runtime.GOOS, Home: home, Getenv: getenv}
			for _, c := range Table() {
				files = append(files, c.User(e)...)
			}
		}
	}

	const folder = "folder"
	e := Env{OS: runtime.GOOS, Dir: folder, Getenv: os.Getenv}
	for _, c := range Table() {
		if c.Project == nil {
			continue
		}
		for _, file := range c.Project(e) {
			names = append(names, strings.ReplaceAll(strings.TrimPrefix(file, folder), `\`, "/")[1:])
		}
	}

	return files, append(names, "skills/*/"+skill.File)
}

// homes returns the person's home folder, as the environment names it and as the system does.
func homes() (all []string) {
	if dir, err := os.UserHomeDir(); err == nil {
		all = append(all, dir)
	}
	if u, err := user.Current(); err == nil && u.HomeDir != "" {
		all = append(all, u.HomeDir)
	}

	return all
}
