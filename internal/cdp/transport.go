package cdp

// Transport carries whole messages between Cove and one browser: a Pipe of a browser that Cove started, or the
// connection to one that a person did.
type Transport interface {
	// Read returns the next message. The caller owns it. Only one goroutine may read.
	Read() ([]byte, error)
	// Write sends one message, to which a NUL was added. It may be called from several goroutines.
	Write(terminated []byte) error
}
