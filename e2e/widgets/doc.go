// Package widgets is a farm of the widgets that people meet most, and an agent that works with them: it has no model
// and no selectors, and knows of a page only what a server's snapshots and answers tell.
package widgets
