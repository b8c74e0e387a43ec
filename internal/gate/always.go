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
	if files, listed := naming[method]; listed {
		params, err := cdp.Fields(raw)
		if err != nil {
			return unreadable(method, err)
		}
		if err := files(q, params); err != nil {
			return err
		}
	}
	switch method {
	case "Target.createBrowserContext", "Target.createTarget":
		params, err := cdp.Fields(raw)
		if err != nil {
			return unreadable(method, err)
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
		if strings.HasPrefix(method, "PWA.") {
			return refused("Programs do not install web apps in Cove: the browser would give them files of this computer.", "Open the app's address in a page instead.")
		}
		if strings.HasPrefix(method, "Extensions.") {
			return refused("Programs do not install extensions in Cove: an extension can change the proxy, and "+why+".", "Ask the person to install it in the profile's window.")
		}
	}
	return nil
}

func unreadable(method string, err error) error {
	return refused("The parameters of "+method+" were not passed on: "+err.Error()+".", "Write each parameter once, with plain keys.")
}

// naming are the commands that name files or folders of this computer. Protected ones are passed on under no policy.
var naming = map[string]func(*question, map[string]json.RawMessage) error{
	"DOM.setFileInputFiles":       (*question).namesFiles,
	"Page.handleFileChooser":      (*question).namesFiles,
	"Input.dispatchDragEvent":     (*question).namesDragged,
	"Browser.setDownloadBehavior": (*question).namesFolder,
	"Page.setDownloadBehavior":    (*question).namesFolder,
	"Page.navigate":               (*question).namesAddress,
	"Target.createTarget":         (*question).namesAddress,
}

func (q *question) namesFiles(params map[string]json.RawMessage) error {
	names, err := texts(params["files"])
	if err != nil {
		return err
	}
	for _, name := range names {
		if err := q.files.Literal(name); err != nil {
			return err
		}
	}
	return nil
}

// texts reads a list of texts; nothing is an empty one.
func texts(raw json.RawMessage) (names []string, err error) {
	if len(raw) > 0 && json.Unmarshal(raw, &names) != nil {
		return nil, refused("The list of files cannot be read.", "Give a list of whole paths.")
	}
	return names, nil
}

func (q *question) namesDragged(params map[string]json.RawMessage) error {
	if len(params["data"]) == 0 {
		return nil
	}
	data, err := cdp.Fields(params["data"])
	if err != nil {
		return unreadable("Input.dispatchDragEvent", err)
	}
	return q.namesFiles(data)
}

func (q *question) namesFolder(params map[string]json.RawMessage) error {
	raw, there := params["downloadPath"]
	if !there {
		return nil
	}
	var dir string
	if json.Unmarshal(raw, &dir) != nil {
		return refused("The folder for downloads cannot be read.", "Give its whole path.")
	}
	if dir == "" {
		return nil
	}
	if err := q.files.Literal(dir); err != nil {
		return err
	}
	return q.files.CheckFolder(dir)
}

func (q *question) namesAddress(params map[string]json.RawMessage) error {
	var address string
	_ = json.Unmarshal(params["url"], &address) // what is no text, the browser refuses
	return q.files.CheckURL(address)
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
		if err := q.closed(at.URL); err != nil {
			return err
		}
	}
	if m := msg.Method(); m == "Page.navigate" || m == "Target.createTarget" {
		return q.opens(slices.Clone(msg.Params()))
	}
	return nil
}

// shown refuses commands for a page that shows one of Cove's own files: scripts of a file's page can go to another file by themselves.
func (q *question) shown() error {
	at := q.mux.place(q.session).URL
	if r := methods()[q.method]; r.anywhere || !strings.HasPrefix(at, "file:") && !strings.HasPrefix(at, "view-source:") {
		return nil
	}
	return q.files.CheckURL(at)
}
