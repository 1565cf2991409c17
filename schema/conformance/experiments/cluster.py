"""A small standalone Flink cluster on the loopback interface, for experiments.

A Distribution is an unpacked Flink release. A Cluster gives it a configuration of its own (the release stays as it
is), starts the JobManager and the TaskManagers in the foreground, as a container image does, and keeps what they print.
"""

import glob
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.request

HERE = os.path.dirname(os.path.abspath(__file__))
JAR = os.path.join(HERE, "job", "target", "experiments.jar")
JOB_CLASS = "io.github.flinkadvise.experiments.ExperimentJob"
REST = "http://localhost:8081"

# The first release that ships config.yaml instead of flink-conf.yaml (1.19 and 1.20 read both).
FIRST_YAML_RELEASE = (1, 19)

# The runs are short: without the second compiler a JVM is up sooner and leaves the machine to others.
QUICK_START = "-XX:TieredStopAtLevel=1"

# Seconds to wait for what must come: a process to start, a job to be submitted. Long, for a busy machine.
PATIENCE = 180

# What every run sets: everything stays on the loopback interface, and the sizes are those of the shipped file.
BASE = {
    "jobmanager.rpc.address": "localhost",
    "jobmanager.bind-host": "localhost",
    "jobmanager.memory.process.size": "1600m",
    "taskmanager.bind-host": "localhost",
    "taskmanager.host": "localhost",
    "taskmanager.memory.process.size": "1728m",
    "taskmanager.numberOfTaskSlots": "1",
    "parallelism.default": "1",
    "rest.address": "localhost",
    "rest.bind-address": "localhost",
}


class Distribution:
    """An unpacked Flink release."""

    def __init__(self, path):
        self.path = os.path.abspath(path)
        jars = glob.glob(os.path.join(self.path, "lib", "flink-dist*.jar"))
        if len(jars) != 1:
            raise SystemExit(f"{path}: not an unpacked Flink distribution (no lib/flink-dist*.jar)")
        self.version = re.search(r"-(\d+\.\d+\.\d+)\.jar$", jars[0]).group(1)
        self.minor = tuple(int(part) for part in self.version.split(".")[:2])

    @property
    def conf_file(self):
        """The name of the configuration file that this release ships."""
        return "config.yaml" if self.minor >= FIRST_YAML_RELEASE else "flink-conf.yaml"

    def java_opts(self):
        """QUICK_START, behind the module flags of the shipped configuration (1.18 and later), which Java 17 needs."""
        with open(os.path.join(self.path, "conf", self.conf_file), encoding="utf-8") as shipped:
            found = re.search(r"^\s*(?:env\.java\.opts\.)?all:\s*(--add-.*)$", shipped.read(), re.MULTILINE)
        key = "env.java.opts.all" if self.minor >= (1, 18) else "env.java.opts"
        return {key: " ".join(filter(None, [found and found.group(1).strip(), QUICK_START]))}

    def key(self, name):
        """Today's name of an option as this release knows it."""
        old = {
            "restart-strategy.type": ((1, 17), "restart-strategy"),
            "state.backend.type": ((1, 15), "state.backend"),
            "execution.checkpointing.dir": ((1, 20), "state.checkpoints.dir"),
            "execution.checkpointing.unaligned.enabled": ((1, 17), "execution.checkpointing.unaligned"),
            "execution.checkpointing.aligned-checkpoint-timeout": ((1, 14), "execution.checkpointing.alignment-timeout"),
        }
        since, before = old.get(name, ((0, 0), name))
        return name if self.minor >= since else before


def default_java_home():
    """JAVA_HOME, or the home of the java command on the path."""
    java = os.environ.get("JAVA_HOME") or os.path.dirname(os.path.dirname(os.path.realpath(shutil.which("java") or "")))
    return java or None


def render(dist, conf, work):
    """The text of the configuration file for the options of BASE and conf; {work} in a value is the run's folder."""
    options = {**BASE, **dist.java_opts(), **conf}
    return "".join(
        f"{dist.key(key)}: {value.replace('{work}', work)}\n" for key, value in options.items() if value is not None)


class Process:
    """One Flink process and the file that holds what it prints."""

    def __init__(self, name, log, popen):
        self.name, self.log, self.popen = name, log, popen

    def text(self):
        with open(self.log, encoding="utf-8", errors="replace") as printed:
            return printed.read()


class Cluster:
    """One run of one distribution. Use it in a with statement: leaving it stops every process."""

    def __init__(self, dist, work, conf, java_home, files=None, json_log=False):
        """conf: options on top of BASE, None removes one. files: configuration files to write as they are instead."""
        self.dist, self.work, self.java_home = dist, work, java_home
        self.processes = []
        shutil.rmtree(work, ignore_errors=True)
        self.conf_dir = os.path.join(work, "conf")
        os.makedirs(self.conf_dir)
        os.makedirs(os.path.join(work, "log"))
        for shipped in glob.glob(os.path.join(dist.path, "conf", "log4j*")):
            shutil.copy(shipped, self.conf_dir)
        plugin = os.path.join(work, "plugins", "slow-fs")
        os.makedirs(plugin)
        shutil.copy(JAR, plugin)
        if json_log:
            self._log_json()
        if files is None:
            files = {dist.conf_file: render(dist, conf, work)}
        for name, content in files.items():
            with open(os.path.join(self.conf_dir, name), "w", encoding="utf-8") as out:
                out.write(content)

    def _log_json(self):
        """Switches the console to log4j's JSON layout (its jar ships with 2.2 and later)."""
        path = os.path.join(self.conf_dir, "log4j-console.properties")
        with open(path, encoding="utf-8") as shipped:
            lines = shipped.read().splitlines()
        with open(path, "w", encoding="utf-8") as out:
            for line in lines:
                if line.startswith("appender.console.layout.type"):
                    out.write("appender.console.layout.type = JsonTemplateLayout\n")
                elif not line.startswith("appender.console.layout.pattern"):
                    out.write(line + "\n")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    def _env(self):
        env = {k: v for k, v in os.environ.items() if not k.startswith(("FLINK_", "JVM_", "JAVA_"))}
        env.update(
            JAVA_HOME=self.java_home,
            FLINK_CONF_DIR=self.conf_dir,
            FLINK_LOG_DIR=os.path.join(self.work, "log"),
            FLINK_PLUGINS_DIR=os.path.join(self.work, "plugins"),
            FLINK_PID_DIR=self.work,
        )
        return env

    def _start(self, name, script, *args):
        log = os.path.join(self.work, name + ".log")
        with open(log, "wb") as out:
            popen = subprocess.Popen(
                [os.path.join(self.dist.path, "bin", script), "start-foreground", *args],
                env=self._env(), cwd=self.work, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT)
        process = Process(name, log, popen)
        self.processes.append(process)
        return process

    def start_job_manager(self, wait=True):
        process = self._start("jobmanager" if not self.process("jobmanager") else "jobmanager-2", "jobmanager.sh")
        if wait:
            self.until(lambda: self.rest("/overview"), "the JobManager answers", PATIENCE)
        return process

    def start_task_manager(self, wait=True):
        number = 1 + sum(1 for p in self.processes if p.name.startswith("taskmanager"))
        process = self._start(f"taskmanager-{number}", "taskmanager.sh")
        if wait:
            self.until(lambda: self.rest("/overview")["taskmanagers"] >= number, f"{number} TaskManagers register", PATIENCE)
        return process

    def submit(self, *args):
        """Runs `flink run -d` and returns the job id, or None when the client fails; its output is kept as client.log."""
        log = os.path.join(self.work, "client.log")
        with open(log, "wb") as out:
            popen = subprocess.Popen(
                [os.path.join(self.dist.path, "bin", "flink"), "run", "-d", "-c", JOB_CLASS, JAR, *args],
                env=self._env(), cwd=self.work, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT)
            popen.wait(timeout=PATIENCE)
        client = Process("client", log, popen)
        self.processes.append(client)
        found = re.search(r"submitted with JobID ([0-9a-f]{32})", client.text())
        return found.group(1) if found else None

    def process(self, name):
        return next((p for p in self.processes if p.name == name), None)

    def rest(self, path, method="GET"):
        try:
            with urllib.request.urlopen(urllib.request.Request(REST + path, method=method), timeout=10) as answer:
                return json.loads(answer.read() or b"{}")
        except (urllib.error.URLError, socket.error, TimeoutError):
            return None

    def job_state(self, job):
        answer = self.rest(f"/jobs/{job}")
        return answer["state"] if answer else None

    def cancel(self, job):
        self.rest(f"/jobs/{job}?mode=cancel", method="PATCH")

    def checkpoints(self, job):
        return self.rest(f"/jobs/{job}/checkpoints")

    def until(self, met, what, seconds):
        """Polls until met() is true; TimeoutError otherwise."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            try:
                value = met()
                if value:
                    return value
            except (KeyError, TypeError):
                pass
            time.sleep(0.3)
        raise TimeoutError(f"not within {seconds} s: {what}")

    def until_logged(self, pattern, seconds):
        """Waits for a line that matches in any log and returns (process name, line)."""
        return self.until(lambda: self.find(pattern), f"a log line that matches {pattern!r}", seconds)

    def find(self, pattern):
        for process in self.processes:
            for line in process.text().splitlines():
                if re.search(pattern, line):
                    return process.name, self.neutral(line)
        return None

    def stop(self):
        """Ends what still runs, TaskManagers before the JobManager, as stop-cluster.sh does."""
        for process in reversed(self.processes):
            if process.popen.poll() is not None:
                continue
            process.popen.send_signal(signal.SIGCONT)
            process.popen.terminate()
            try:
                process.popen.wait(timeout=20)
            except subprocess.TimeoutExpired:
                process.popen.kill()
                process.popen.wait()

    def neutral(self, text):
        """The text with this machine's paths, host name and user replaced."""
        text = text.replace(os.path.join(self.work, "checkpoints"), "/data/checkpoints")
        for name in ("conf", "log", "plugins"):
            text = text.replace(os.path.join(self.work, name), "/opt/flink/" + name)
        text = text.replace(self.work, "/opt/flink").replace(self.dist.path, "/opt/flink")
        text = text.replace(os.path.dirname(JAR), "/opt/flink/usrlib")
        for java in {self.java_home, os.path.realpath(self.java_home)}:
            text = text.replace(java, "/opt/java/openjdk")
        host = socket.gethostname()
        if host != "localhost":
            text = re.sub(rf"\b{re.escape(host)}\b", "host-1", text)
        return re.sub(r"(OS current user:) [\w.-]+", r"\1 flink", text)
