package gate

import (
	"encoding/json"
	"slices"
	"strings"

	"cove/internal/cdp"
)

// always is what no policy allows, because the rules for sites hang on it: whoever could have it would have a way past the relay
// that filters all of the profile's traffic, or past this gate.
func (q *question) always(method string, raw json.RawMessage, depth int) error {
	const why = "the profile's rules for sites would not hold any more"
	switch method {
	case "Target.createBrowserContext", "Target.createTarget":
		params, err := cdp.Fields(raw)
		if err != nil {
			return refused("The parameters of "+method+" were not passed on: "+err.Error()+".", "Write each parameter once, with plain keys.")
		}
		for _, name := range []string{"proxyServer", "proxyBypassList"} {
			if _, there := params[name]; there {
				return refused("A browser context cannot have a "+name+" of its own in Cove: "+why+".",
					"Leave it out, and set the proxy of the profile instead: cove profile edit ID --proxy ADDRESS")
			}
		}
		if hidden, there := params["hidden"]; there && string(hidden) != "false" {
			return refused("There are no hidden pages in Cove: "+why+".", "Leave hidden out, and set background to true instead.")
		}
	case "Target.exposeDevToolsProtocol":
		return refused("Pages do not get the protocol in Cove: "+why+".", "Send the commands yourself.")
	case "Target.setRemoteLocations":
		return refused("The browser looks for no other browsers in Cove: "+why+".", "Connect to them yourself.")
	case "Target.sendMessageToTarget":
		return q.inner(raw, depth)
	default:
		if strings.HasPrefix(method, "Extensions.") {
			return refused("Programs do not install extensions in Cove: an extension can change the proxy, and "+why+".", "Ask the person to install it in the profile's window.")
		}
	}
	return nil
}

// inner looks into a command that is inside another one.
func (q *question) inner(raw json.RawMessage, depth int) error {
	unreadable := refused("The message inside Target.sendMessageToTarget cannot be read.", "Attach with flatten: true and send the command itself.")
	params, err := cdp.Fields(raw)
	if err != nil || depth > 3 {
		return unreadable
	}
	var text string
	if json.Unmarshal(params["message"], &text) != nil {
		return unreadable
	}
	msg, err := cdp.ParseClient([]byte(text))
	if err != nil {
		return unreadable
	}
	return q.always(msg.Method(), slices.Clone(msg.Params()), depth+1)
}

// within judges a command inside another one as if it had come by itself. always has looked whether it can be read.
func (q *question) within() error {
	params, err := cdp.Fields(q.raw)
	if err != nil {
		return err
	}
	var session, text string
	if json.Unmarshal(params["sessionId"], &session) != nil || json.Unmarshal(params["message"], &text) != nil {
		return errNested
	}
	msg, err := cdp.ParseClient([]byte(text))
	if err != nil {
		return err
	}
	at, known := q.mux.placed(session)
	if !known || msg.Method() == "Target.sendMessageToTarget" { // nobody has told where that is
		return errNested
	}
	if r, listed := methods()[msg.Method()]; !r.anywhere || !listed {
		if err := closed(q.book, at.URL); err != nil {
			return err
		}
	}
	if m := msg.Method(); m == "Page.navigate" || m == "Target.createTarget" {
		return q.opens(slices.Clone(msg.Params()))
	}
	return nil
}
