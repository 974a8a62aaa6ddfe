"""A receiver of alarms: webhooks.py PORT-FILE SECRET. Prints a line for each call: its path and its body; `signed` where DingTalk's signature is right.

/refuse is answered by status 500, /unknown by an error of DingTalk's own under status 200.
"""
import base64
import hashlib
import hmac
import http.server
import os
import sys
import urllib.parse


class Receiver(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def is_signed(self, arguments):
        text = "%s\n%s" % (arguments.get("timestamp", [""])[0], sys.argv[2])
        wanted = base64.b64encode(hmac.new(sys.argv[2].encode(), text.encode(), hashlib.sha256).digest()).decode()
        return arguments.get("sign", [""])[0] == wanted

    def do_POST(self):
        url = urllib.parse.urlsplit(self.path)
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        signed = " signed" if self.is_signed(urllib.parse.parse_qs(url.query)) else ""
        print("%s%s %s" % (url.path, signed, body), flush=True)
        answer = b'{"errcode":310000,"errmsg":"sign not match"}' if url.path == "/unknown" else b'{"errcode":0}'
        self.send_response(500 if url.path == "/refuse" else 200)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
with open(sys.argv[1] + ".part", "w", encoding="ascii") as file:
    file.write(str(server.server_address[1]))
os.rename(sys.argv[1] + ".part", sys.argv[1])
server.serve_forever()
