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
// with the roles and names of Chromium's accessibility tree. It judges fields by the table of package sensitive. When
// it runs a second time, it does nothing.
var Walker = sync.OnceValue(func() string {
	return assemble("cove", "const sensitive = "+sensitive.Script()+";\n", "walker/",
		"dom", "roles", "names", "generated", "states", "zones", "walk", "closed", "format", "version")
})

// act returns the script that installs globalThis.act beside cove: the functions that actions on elements need.
func act() string {
	return assemble("act", "", "act/", "hit", "aim", "watch", "press", "value", "text", "list", "secret", "risk",
		"find")
}

// worldScript returns the script that installs Walker and act in each of our worlds.
var worldScript = sync.OnceValue(func() string { return Walker() + act() + "0" })

// assemble joins the text first and the named files into one function, so that the script adds no global but the given
// one.
func assemble(global, first, folder string, names ...string) string {
	var b strings.Builder
	// Only an own property counts: <div id=cove> would answer for a global that is not there yet.
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

// RunInFrame is Run in the present document of a frame. It tries again when a navigation replaces the document.
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
