package mux

import "cove/internal/cdp"

// Sink receives what the browser says to one client.
type Sink interface {
	// Deliver receives one message. It must not wait: it is called where the pipe is read.
	Deliver(out Outgoing)
	// End says that no more messages will come.
	End(reason string)
}

// Filter decides what one client sees of the browser.
type Filter interface {
	// Event returns the change that an event needs before the client sees it; nil changes nothing. It is called where
	// the pipe is read and must not wait.
	Event(msg cdp.Message) Edit
	// Rewrite changes any message to the client after its own Edit: events, answers of the browser, and answers that
	// the browser was not asked for. A result of nil drops the message. It is called from Outgoing.Bytes and may take
	// time.
	Rewrite(raw []byte) []byte
}

// Exchange follows one command of a client. Exactly one of its methods is called, once, unless the command is refused
// by Forward's caller before it was sent.
type Exchange interface {
	// Reply is called with the browser's answer, where the pipe is read; it must not wait. id is the client's own id of
	// the command. It returns the change that the answer needs before the client sees it; nil changes nothing.
	Reply(msg cdp.Message, id int32) Edit
	// Dropped is called when no answer will come: the session, the client or the browser is gone.
	Dropped()
}

// Edit changes a message before its client sees it. A result of nil drops the message.
type Edit func(raw []byte) []byte

// Outgoing is one message to a client. It gives its bytes away only as the client may see them.
type Outgoing struct {
	raw  []byte
	edit Edit
	to   *Client
}

// Size returns how many bytes of memory the message holds. What the client sees may be shorter or longer.
func (o Outgoing) Size() int { return len(o.raw) }

// Bytes returns the message as the client may see it, or nil if the client must not see it. To filter a large message
// takes a while, so a sink with a queue calls Bytes where it writes. Bytes may change the message in place: call it
// once.
func (o Outgoing) Bytes() []byte {
	raw := o.raw
	if o.edit != nil {
		raw = o.edit(raw)
	}
	if raw != nil && o.to.filter != nil {
		raw = o.to.filter.Rewrite(raw)
	}

	return raw
}
