package session

import "time"

const browserTrajectory = "d3300000-0000-4000-8000-0000000007b2"

// browserRun is the trajectory inside the browser subagent's step.
func browserRun(start time.Time) obj {
	s := newScript(browserTrajectory, start)
	page := obj{"url": "http://127.0.0.1:8080/", "pageId": "page-1", "pageTitle": "tidebell", "viewportWidth": 1280, "viewportHeight": 720}
	shot := obj{"mimeType": "image/png", "inlineData": encode(board), "uri": brain + "/shot_1.png"}
	s.begin()
	s.add("USER_INPUT", "DONE", "USER_EXPLICIT", obj{"userInput": obj{"userResponse": "Open the bell page and ring the bell."}})
	act := func(tool, action string, args obj, kind, status string, body obj) {
		c := s.call(tool, action, args)
		s.answer("", action+".", c)
		s.tool(c, kind, status, body)
	}
	act("open_browser_url", "Opening the page", obj{"Url": "http://127.0.0.1:8080/"}, "OPEN_BROWSER_URL", "DONE", obj{"openBrowserUrl": obj{
		"url": "http://127.0.0.1:8080/", "pageId": "page-1", "pageMetadata": page, "mediaScreenshot": shot, "browserStateDiff": "new page: tidebell",
	}})
	act("browser_get_dom", "Reading the page", obj{"PageId": "page-1"}, "BROWSER_GET_DOM", "DONE", obj{"browserGetDom": obj{
		"pageId": "page-1", "pageMetadata": page, "serializedDomTree": "[0]<h1>Next high tide</h1>\n[1]<time>12:31</time>\n[2]<input name=\"harbour\">\n[3]<button>Ring</button>",
	}})
	act("browser_input", "Typing a name", obj{"PageId": "page-1", "Index": 2, "Text": "Port <Calm>"}, "BROWSER_INPUT", "DONE", obj{"browserInput": obj{
		"pageId": "page-1", "index": 2, "text": "Port <Calm>", "clearText": true, "pageMetadata": page,
	}})
	act("browser_press_key", "Pressing Enter", obj{"PageId": "page-1", "Key": "Enter"}, "BROWSER_PRESS_KEY", "DONE", obj{"browserPressKey": obj{
		"pageId": "page-1", "key": "Enter", "pageMetadata": page, "browserStateDiff": "[0] text changed to «Next high tide at Port <Calm>»",
	}})
	act("browser_scroll", "Scrolling down", obj{"PageId": "page-1"}, "BROWSER_SCROLL", "DONE", obj{"browserScroll": obj{
		"pageId": "page-1", "direction": "SCROLL_DIRECTION_DOWN", "pixelsScrolledY": 240,
	}})
	act("click_browser_pixel", "Ringing the bell", obj{"PageId": "page-1", "X": 640, "Y": 410}, "CLICK_BROWSER_PIXEL", "DONE", obj{"clickBrowserPixel": obj{
		"pageId": "page-1", "x": 640, "y": 410, "clickType": "CLICK_TYPE_LEFT", "pageMetadata": page, "screenshotWithClickFeedback": shot,
	}})
	act("execute_browser_javascript", "Asking the page", obj{"PageId": "page-1"}, "EXECUTE_BROWSER_JAVASCRIPT", "DONE", obj{"executeBrowserJavascript": obj{
		"pageId": "page-1", "title": "Count rings", "javascriptDescription": "Reads how often the bell rang",
		"javascriptSource": "document.querySelectorAll('[data-rang=\"</script>\"]').length", "javascriptResult": "1", "executionDurationMs": "14", "pageMetadata": page,
	}})
	act("capture_browser_console_logs", "Reading the console", obj{"PageId": "page-1"}, "CAPTURE_BROWSER_CONSOLE_LOGS", "DONE", obj{"captureBrowserConsoleLogs": obj{
		"pageId": "page-1", "pageMetadata": page, "consoleLogs": obj{"serverAddress": "http://127.0.0.1:8080", "lines": []obj{
			{"timestampStr": "08:21:07", "type": "log", "output": "bong", "location": "bell.js:3"},
			{"timestampStr": "08:21:08", "type": "warning", "output": "echo is off", "location": "bell.js:9"},
		}},
	}})
	act("capture_browser_screenshot", "Taking a picture", obj{"PageId": "page-1"}, "CAPTURE_BROWSER_SCREENSHOT", "DONE", obj{"captureBrowserScreenshot": obj{
		"pageId": "page-1", "screenshotName": "bell_rings", "saveScreenshot": true, "mediaScreenshot": shot, "pageMetadata": page,
	}})
	act("open_browser_url", "Opening the echo page", obj{"Url": "http://127.0.0.1:8080/echo"}, "OPEN_BROWSER_URL", "ERROR", obj{
		"openBrowserUrl": obj{"url": "http://127.0.0.1:8080/echo"},
		"error":          obj{"userErrorMessage": "The page did not answer.", "shortError": "net::ERR_EMPTY_RESPONSE"},
	})
	s.answer("", "The page shows **12:31** and the bell rings when clicked. The echo page does not answer, which is known.")
	return obj{
		"trajectoryId": browserTrajectory, "cascadeId": cascadeID, "trajectoryType": "CORTEX_TRAJECTORY_TYPE_BROWSER",
		"source": "CORTEX_TRAJECTORY_SOURCE_CLI", "steps": s.steps,
		"parentReferences": []obj{{
			"trajectoryId": trajectoryID, "trajectoryType": "CORTEX_TRAJECTORY_TYPE_CASCADE", "stepType": "CORTEX_STEP_TYPE_USER_INPUT",
			"referenceType": "CORTEX_TRAJECTORY_REFERENCE_TYPE_FORK", "conversationId": cascadeID,
		}},
	}
}
