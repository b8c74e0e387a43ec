package dom

import (
	"embed"
	"strings"
	"sync"
)

//go:embed walker/*.js act/*.js
var scripts embed.FS

// Walker is the script that installs globalThis.cove in the isolated world of a frame. It reads what the frame shows,
// with the roles and names of Chromium's accessibility tree. A second time it does nothing.
var Walker = sync.OnceValue(func() string {
	return assemble("cove", "walker/",
		"dom", "roles", "names", "generated", "states", "zones", "walk", "closed", "format", "version")
})

// act is the script that installs globalThis.act beside cove: what actions need of an element.
func act() string {
	return assemble("act", "act/", "hit", "aim", "watch", "press", "value", "text", "list", "secret", "risk", "find")
}

// worldScript is what each of our worlds gets.
var worldScript = sync.OnceValue(func() string { return Walker() + act() + "0" })

// assemble joins files into one function, so that only the given name becomes a global.
func assemble(global, folder string, names ...string) string {
	var b strings.Builder
	// An own property only: <div id=cove> would answer for a global that is not there yet.
	b.WriteString("(() => {\n'use strict';\nif (Object.hasOwn(globalThis, '" + global + "')) return;\n")
	for _, name := range names {
		text, err := scripts.ReadFile(folder + name + ".js")
		if err != nil {
			panic(err)
		}
		b.Write(text)
	}
	b.WriteString("})();\n")
	return b.String()
}
