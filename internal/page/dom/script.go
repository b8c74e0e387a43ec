package dom

import (
	"context"
	"embed"
	"errors"
	"strings"
	"sync"

	"cove/internal/cdp"
	"cove/internal/sensitive"
)

//go:embed walker/*.js act/*.js
var scripts embed.FS

// Walker is the script that installs globalThis.cove in the isolated world of a frame. It reads what the frame shows,
// with the roles and names of Chromium's accessibility tree. It judges fields by the table of package sensitive. A
// second time it does nothing.
var Walker = sync.OnceValue(func() string {
	return assemble("cove", "const sensitive = "+sensitive.Script()+";\n", "walker/",
		"dom", "roles", "names", "generated", "states", "zones", "walk", "closed", "format", "version")
})

// act is the script that installs globalThis.act beside cove: what actions need of an element.
func act() string {
	return assemble("act", "", "act/", "hit", "aim", "watch", "press", "value", "text", "list", "secret", "risk",
		"find")
}

// worldScript is what each of our worlds gets.
var worldScript = sync.OnceValue(func() string { return Walker() + act() + "0" })

// assemble joins a first text and files into one function, so that only the given name becomes a global.
func assemble(global, first, folder string, names ...string) string {
	var b strings.Builder
	// An own property only: <div id=cove> would answer for a global that is not there yet.
	b.WriteString("(() => {\n'use strict';\nif (Object.hasOwn(globalThis, '" + global + "')) return;\n")
	b.WriteString(first)
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

// RunInFrame calls a function of ours in the present document of a frame, and reads what it returns.
func (f *Frames) RunInFrame(ctx context.Context, frameID string, result any, function string) error {
	for attempt := 0; ; attempt++ {
		w, err := f.Enter(ctx, frameID)
		if err != nil {
			return err
		}
		err = f.Run(ctx, w, result, function)
		var gone *cdp.Error
		if err != nil && errors.As(err, &gone) && attempt < 3 { // a navigation has taken the world away
			f.forgetWorld(frameID, w)
			continue
		}
		return restless(err)
	}
}
