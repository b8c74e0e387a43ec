// Package page works in a profile's tabs: tabs, frames, snapshot, input, waiting, console, network.
package page
