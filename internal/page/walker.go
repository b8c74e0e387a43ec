package page

import (
	"embed"
	"strings"
	"sync"
)

//go:embed walker/*.js
var walkerFiles embed.FS

// Walker is the script that the isolated world of a frame gets once; a second time does nothing. It installs
// globalThis.cove, which tells what the frame shows. Roles and names are those of Chromium's accessibility tree.
var Walker = sync.OnceValue(func() string {
	return assemble("dom", "roles", "names", "generated", "states", "zones", "walk", "closed", "tell", "version")
})

// assemble puts the files into one function, so that nothing but cove becomes a global.
func assemble(names ...string) string {
	var b strings.Builder
	// An own property only: <div id=cove> would answer for a global that is not there yet.
	b.WriteString("(() => {\n'use strict';\nif (Object.hasOwn(globalThis, 'cove')) return;\n")
	for _, name := range names {
		text, err := walkerFiles.ReadFile("walker/" + name + ".js")
		if err != nil {
			panic(err)
		}
		b.Write(text)
	}
	b.WriteString("})();\n")
	return b.String()
}
