package gate

import (
	"encoding/json"
	"slices"
	"strings"

	"cove/internal/cdp"
)

// checkForbidden refuses commands that no policy may allow: they would bypass the relay that filters all of the
// profile's traffic, or this gate, or they name protected files. depth counts commands inside commands.
func (c *command) checkForbidden(method string, raw json.RawMessage, depth int) error {
	if err := c.checkFileNames(method, raw); err != nil {
		return err
	}

	const why = "the profile's rules for sites would not hold any more"
	switch method {
	case "Target.createBrowserContext", "Target.createTarget":
		return checkContextParams(method, raw, why)
	case "Target.exposeDevToolsProtocol":
		return refused("Pages do not get the protocol in Cove: "+why+".", "Send the commands yourself.")
	case "Target.setRemoteLocations":
		return refused("The browser looks for no other browsers in Cove: "+why+".", "Connect to them yourself.")
	case "Target.sendMessageToTarget":
		return c.checkInnerForbidden(raw, depth)
	}
	if strings.HasPrefix(method, "PWA.") {
		return refused("Programs do not install web apps in Cove: the browser would give them files of this computer.",
			"Open the app's address in a page instead.")
	}
	if strings.HasPrefix(method, "Extensions.") {
		return refused("Programs do not install extensions in Cove: an extension can change the proxy, and "+why+".",
			"Ask the person to install it in the profile's window.")
	}

	return nil
}

// checkContextParams refuses a browser context with a proxy of its own, and a page that nobody sees.
func checkContextParams(method string, raw json.RawMessage, why string) error {
	params, err := cdp.Fields(raw)
	if err != nil {
		return unreadable(method, err)
	}

	for _, name := range [...]string{"proxyServer", "proxyBypassList"} {
		if _, there := params[name]; there {
			return refused("A browser context cannot have a "+name+" of its own in Cove: "+why+".",
				"Leave it out, and set the proxy of the profile instead: cove profile edit ID --proxy ADDRESS")
		}
	}
	if hidden, there := params["hidden"]; there && string(hidden) != "false" {
		return refused("There are no hidden pages in Cove: "+why+".",
			"Leave hidden out, and set background to true instead.")
	}

	return nil
}

// checkInnerForbidden looks into a command that is inside another one.
func (c *command) checkInnerForbidden(raw json.RawMessage, depth int) error {
	unreadable := refused("The message inside Target.sendMessageToTarget cannot be read.",
		"Attach with flatten: true and send the command itself.")
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

	return c.checkForbidden(msg.Method(), slices.Clone(msg.Params()), depth+1)
}

// checkFileNames refuses a command that names a protected file or folder of this computer.
func (c *command) checkFileNames(method string, raw json.RawMessage) error {
	var check func(map[string]json.RawMessage) error
	switch method {
	case "DOM.setFileInputFiles", "Page.handleFileChooser":
		check = c.checkFiles
	case "Input.dispatchDragEvent":
		check = c.checkDraggedFiles
	case "Browser.setDownloadBehavior", "Page.setDownloadBehavior":
		check = c.checkDownloadFolder
	case "Page.navigate", "Target.createTarget":
		check = c.checkFileAddress
	default:
		return nil
	}

	params, err := cdp.Fields(raw)
	if err != nil {
		return unreadable(method, err)
	}

	return check(params)
}

func (c *command) checkFiles(params map[string]json.RawMessage) error {
	names, err := fileNames(params["files"])
	if err != nil {
		return err
	}
	for _, name := range names {
		if err := c.config.Files.Literal(name); err != nil {
			return err
		}
	}

	return nil
}

// fileNames reads a list of file names. No list is an empty one.
func fileNames(raw json.RawMessage) (names []string, err error) {
	if len(raw) > 0 && json.Unmarshal(raw, &names) != nil {
		return nil, refused("The list of files cannot be read.", "Give a list of whole paths.")
	}

	return names, nil
}

func (c *command) checkDraggedFiles(params map[string]json.RawMessage) error {
	if len(params["data"]) == 0 {
		return nil
	}
	data, err := cdp.Fields(params["data"])
	if err != nil {
		return unreadable("Input.dispatchDragEvent", err)
	}

	return c.checkFiles(data)
}

func (c *command) checkDownloadFolder(params map[string]json.RawMessage) error {
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

	if err := c.config.Files.Literal(dir); err != nil {
		return err
	}

	return c.config.Files.CheckFolder(dir)
}

func (c *command) checkFileAddress(params map[string]json.RawMessage) error {
	var address string
	_ = json.Unmarshal(params["url"], &address) // the browser refuses an address that is no text

	return c.config.Files.CheckURL(address)
}
