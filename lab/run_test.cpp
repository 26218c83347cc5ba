// A whole run whose jobs are a script: results, wrong results, deaths, time limits, and a run that
// is cut short.
#include "lab/run.hpp"

#include "lab/folder_lock.hpp"
#include "lab/testing.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

using namespace artel::lab;
using namespace artel::lab::testing;

namespace {

namespace fs = std::filesystem;

class LabRun : public ::testing::Test {
protected:
    LabRun()
    {
        std::string pattern = (fs::temp_directory_path() / "artel-run-XXXXXX").string();
        folder_ = ::mkdtemp(pattern.data());
    }
    ~LabRun() override { fs::remove_all(folder_); }

    // A program for the jobs: a shell script that gets the cell as its third argument and writes to
    // descriptor 3.
    void jobs_do(const std::string& text)
    {
        const auto script = folder_ / "job";
        std::ofstream(script) << "#!/bin/sh\n" << text << "\n";
        ::chmod(script.c_str(), 0755);
        settings_.program = script.string();
    }
    json one_job() { return run_job(cell_of("alloc", "T", 1), settings_); }

    run_options options(const std::string& variants = "T")
    {
        run_options o;
        o.plan.workloads = {"alloc"};
        o.plan.variant_names = {variants};
        o.plan.tasks = {1, 2};
        o.plan.repeats = 2;
        o.plan.allocators = false;
        o.job = settings_;
        o.folder = folder_ / "out";
        return o;
    }
    json document() { return json::parse(std::ifstream(folder_ / "out" / "results.json")); }
    // How often the script was run, if it writes a line each time.
    int runs()
    {
        std::ifstream file(folder_ / "runs");
        int n = 0;
        for (std::string line; std::getline(file, line);)
            ++n;
        return n;
    }

    fs::path folder_;
    job_settings settings_;
};

// False for a process that has ended, also if its new parent has not collected it yet.
bool is_running(pid_t pid)
{
    std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
    std::string word;
    char state = 'X';
    file >> word >> word >> state;
    return file && state != 'Z' && state != 'X';
}

constexpr const char* good = R"(echo '{"status":"ok","seconds":1.5,"evidence":{}}' >&3)";

}  // namespace

TEST_F(LabRun, AJobsResultAndItsDeath)
{
    jobs_do(good);
    EXPECT_EQ(one_job().at("seconds"), 1.5);
    jobs_do("kill -SEGV $$");
    EXPECT_NE(one_job().at("reason").get<std::string>().find("signal 11"), std::string::npos);
    jobs_do("kill -KILL $$");
    EXPECT_NE(one_job().at("reason").get<std::string>().find("memory is short"), std::string::npos);
    jobs_do("exit 9");
    EXPECT_NE(one_job().at("reason").get<std::string>().find("status 9"), std::string::npos);
    jobs_do("echo nonsense >&3");
    EXPECT_EQ(one_job().at("reason"), "the job wrote no valid result");
    jobs_do("echo '[1]' >&3");
    EXPECT_EQ(one_job().at("reason"), "the job wrote no valid result");
    settings_.program = "/nowhere/to/be/found";
    EXPECT_NE(one_job().at("reason").get<std::string>().find("status 127"), std::string::npos);
}

TEST_F(LabRun, AJobThatTakesTooLongIsEndedWithItsChildren)
{
    settings_.timeout = std::chrono::seconds(1);
    jobs_do("sleep 1000 & echo $! > " + (folder_ / "child").string() + "; wait");
    EXPECT_NE(one_job().at("reason").get<std::string>().find("took longer than 1 s"),
              std::string::npos);
    pid_t child = 0;
    std::ifstream(folder_ / "child") >> child;
    ASSERT_GT(child, 0);
    while (is_running(child))  // for ever, where it was left: the test's time limit says so
        ::usleep(1000);
}

TEST_F(LabRun, AWrongResultFailsTheRun)
{
    jobs_do(good);
    EXPECT_EQ(run_lab(options()), 0);
    jobs_do(R"(echo '{"status":"fail","reason":"wrong result: row 7 of the product"}' >&3)");
    EXPECT_EQ(run_lab(options()), 1);
    EXPECT_EQ(document()["cells"][0]["result"]["status"], "fail");
    // A refusal does not fail the run.
    jobs_do(R"(echo '{"status":"fail","reason":"ulimit -u"}' >&3)");
    EXPECT_EQ(run_lab(options()), 0);
}

TEST_F(LabRun, GoesOnWhereItWasStopped)
{
    jobs_do("echo run >> " + (folder_ / "runs").string() + "; sleep 0.4; " + good);
    auto stopped = options();
    stopped.stop_after = std::chrono::seconds(1);
    EXPECT_EQ(run_lab(stopped), 0);
    const auto before = runs();
    EXPECT_GE(before, 1);
    ASSERT_LT(before, 4) << "this machine is too fast for the test";
    EXPECT_TRUE(fs::exists(folder_ / "out" / "unfinished.jsonl"));
    EXPECT_EQ(document()["progress"]["missing"], 4 - before);
    EXPECT_FALSE(document()["progress"]["rest"].get<std::string>().empty());
    EXPECT_EQ(document()["cells"].size(), 4u);  // those that are missing are in it, as such

    stopped.stop_after = std::chrono::seconds(0);  // measures nothing
    EXPECT_EQ(run_lab(stopped), 0);
    EXPECT_EQ(runs(), before);

    EXPECT_EQ(run_lab(options()), 0);
    EXPECT_EQ(runs(), 4);  // each cell once over both runs
    EXPECT_EQ(document()["progress"]["missing"], 0);
    EXPECT_FALSE(fs::exists(folder_ / "out" / "unfinished.jsonl"));
}

TEST_F(LabRun, WhatTookTooLongIsTriedAgainWithMoreTime)
{
    settings_.timeout = std::chrono::seconds(1);
    jobs_do("echo run >> " + (folder_ / "runs").string() + "; exec sleep 1000");
    auto stopped = options();
    stopped.plan.tasks = {1};
    stopped.plan.repeats = 2;
    stopped.stop_after = std::chrono::seconds(1);  // the second one has no time
    EXPECT_EQ(run_lab(stopped), 0);
    ASSERT_EQ(runs(), 1);
    stopped.stop_after = std::chrono::seconds(0);
    EXPECT_EQ(run_lab(stopped), 0);
    // kept.
    EXPECT_NE(document()["cells"][0]["result"]["reason"].get<std::string>().find("longer than 1 s"),
              std::string::npos);

    jobs_do("echo run >> " + (folder_ / "runs").string() + "; " + good);
    auto longer = stopped;
    longer.stop_after.reset();
    longer.job = settings_;
    longer.job.timeout = std::chrono::seconds(2);
    EXPECT_EQ(run_lab(longer), 0);
    EXPECT_EQ(runs(), 3);  // both
    const json results = document();
    for (const auto& entry : results["cells"])
        EXPECT_EQ(entry["result"]["status"], "ok") << entry.dump();
}

TEST_F(LabRun, RefusalsAreTriedAgainAndWrongResultsKept)
{
    const auto once = [&](const std::string& reason) {
        jobs_do("echo run >> " + (folder_ / "runs").string() +
                R"(; echo '{"status":"fail","reason":")" + reason + R"("}' >&3; sleep 1)");
        auto stopped = options();
        stopped.fresh = true;
        stopped.stop_after = std::chrono::seconds(1);
        run_lab(stopped);
        const auto before = runs();
        EXPECT_EQ(before, 1);
        fs::remove(folder_ / "runs");
        jobs_do("echo run >> " + (folder_ / "runs").string() + "; " + good);
        const auto code = run_lab(options());
        const auto after = runs();
        fs::remove(folder_ / "runs");
        return std::pair(code, after);
    };
    EXPECT_EQ(once("the system refused a process"), std::pair(0, 4));
    EXPECT_EQ(once("task 1: wrong result: array 0 is not what was sent"), std::pair(1, 3));
}

// Threads compute "a", processes something else.
TEST_F(LabRun, ADifferentChecksumFailsTheRun)
{
    jobs_do(R"(case "$3" in *'"variant":"P"'*) sum=b;; *) sum=a;; esac
case "$3" in *'"check":"full"'*) echo run >> ")" +
            (folder_ / "runs").string() + R"(";; esac
echo '{"status":"ok","seconds":1.5,"evidence":{},"checksum":"'$sum'"}' >&3)");
    auto both = options();
    both.plan.variant_names = {"T", "P", "T-N"};
    EXPECT_EQ(run_lab(both), 1);
    EXPECT_EQ(runs(), 2);  // for each number of tasks one was checked in full
    const json results = document();
    for (const auto& entry : results["cells"])
        EXPECT_EQ(entry["result"]["status"], entry["cell"]["variant"] == "P" ? "fail" : "ok")
            << entry.dump();
}

TEST_F(LabRun, OneAtATimeInAFolder)
{
    jobs_do(good);
    const auto o = options();
    fs::create_directories(o.folder);
    const folder_lock somebody(o.folder);
    EXPECT_THROW(run_lab(o), std::runtime_error);
    EXPECT_TRUE(fs::is_empty(o.folder));
}

TEST_F(LabRun, FreshForgets)
{
    jobs_do("echo run >> " + (folder_ / "runs").string() + "; " + good);
    fs::create_directories(folder_ / "out");
    auto stopped = options();
    stopped.stop_after = std::chrono::seconds(0);
    run_lab(stopped);
    EXPECT_EQ(runs(), 0);
    auto anew = options();
    anew.fresh = true;
    EXPECT_EQ(run_lab(anew), 0);
    EXPECT_EQ(runs(), 4);
}
