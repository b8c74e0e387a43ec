package snapshot

// Clean makes one line of what a page has written.
func Clean(s string) string { return clean(s) }
