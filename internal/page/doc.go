// Package page presents one open browser to its agents: its tabs, how they navigate, what an action in them sets off,
// downloads and the rules for sites. The packages below it read a tab (dom, devlog), capture it and profile it; package
// input, above it, acts in it.
package page
