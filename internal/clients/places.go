package clients

import (
	"os"
	"os/user"
	"runtime"
	"strings"
)

// Places is where all clients keep their servers: the person's files, and the ends of the paths that a client reads in whatever folder it
// works. Who can write there runs programs.
func Places() (files, names []string) {
	environments := []func(string) string{os.Getenv, func(string) string { return "" }} // the client may have another environment than we
	for _, home := range homes() {
		for _, getenv := range environments {
			e := Env{OS: runtime.GOOS, Home: home, Getenv: getenv}
			for _, c := range Table {
				files = append(files, c.User(e)...)
			}
		}
	}
	const folder = "folder"
	e := Env{OS: runtime.GOOS, Dir: folder, Getenv: os.Getenv}
	for _, c := range Table {
		if c.Project == nil {
			continue
		}
		for _, file := range c.Project(e) {
			names = append(names, strings.ReplaceAll(strings.TrimPrefix(file, folder), `\`, "/")[1:])
		}
	}
	return files, names
}

// homes is the person's folder, as the environment says it and as the system does.
func homes() (all []string) {
	if dir, err := os.UserHomeDir(); err == nil {
		all = append(all, dir)
	}
	if u, err := user.Current(); err == nil && u.HomeDir != "" {
		all = append(all, u.HomeDir)
	}
	return all
}
