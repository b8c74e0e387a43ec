// Package page works in a profile's tabs: tabs, frames, snapshot, input, waiting, console, network.
package page

import _ "embed"

// Walker is the script that a frame's isolated world gets once. It installs globalThis.cove, which reads the frame for us.
//
//go:embed walker.js
var Walker string
