package dom

import (
	"context"
	_ "embed" // the scripts
	"errors"
	"sync"

	"cove/internal/cdp"
	"cove/internal/sensitive"
)

//go:embed dist/walker.js
var walkerScript string

//go:embed dist/act.js
var actScript string

// Walker is the script that installs globalThis.cove in the isolated world of a frame. It reads what the frame shows,
// with the roles and names of Chromium's accessibility tree. It judges fields by the table of package sensitive. When
// it runs a second time, it does nothing.
var Walker = sync.OnceValue(func() string {
	return once("cove", "const sensitive = "+sensitive.Script()+";\n"+walkerScript)
})

// worldScript returns the script that installs Walker in each of our worlds and, beside it, globalThis.act: the
// functions that actions on elements need.
var worldScript = sync.OnceValue(func() string { return Walker() + once("act", actScript) + "0" })

// once makes a script that does nothing where the given global is there already, and adds no other global.
func once(global, script string) string {
	// Only an own property counts: <div id=cove> would answer for a global that is not there yet.
	return "(() => {\n'use strict';\nif (Object.hasOwn(globalThis, '" + global + "')) return;\n" + script + "})();\n"
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
