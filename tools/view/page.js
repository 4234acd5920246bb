// Draws the charts of the report with Chart.js. The data: <script id="charts">, made by report.py.
// Colors are those of page.css, so charts follow a change between light and dark.
"use strict";

const charts = JSON.parse(document.getElementById("charts").textContent);

function color(name) {
  return getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();
}

function axis(title, isStacked, more) {
  return {
    stacked: isStacked,
    title: {display: title !== "", text: title, color: color("quiet")},
    grid: {color: color("line")},
    ticks: {color: color("quiet"), maxRotation: 0, autoSkip: true},
    ...more,
  };
}

function isLimit(series) {
  return series.name.includes("law") || series.name.startsWith("bound");
}

function configuration(chart) {
  const isBar = chart.kind === "bar";
  const isStacked = Boolean(chart.stacked);
  const scale = chart.logarithmic
      ? {type: "logarithmic", ticks: {color: color("quiet"), callback: String}} : {min: 0};
  const datasets = chart.series.map((series) => ({
    label: series.name,
    data: series.values,
    borderColor: color(series.color),
    backgroundColor: color(series.color),
    borderWidth: isBar ? 0 : 2,
    borderDash: isLimit(series) ? [6, 4] : [],
    pointRadius: chart.kind === "line" ? 3 : 0,
    fill: chart.kind === "area" && !isLimit(series),
    stepped: chart.kind === "area",
    spanGaps: true,
  }));
  const horizontal = Boolean(chart.horizontal);
  const values = axis(horizontal ? chart.x : chart.y, isStacked, scale);
  const names = axis(horizontal ? chart.y : chart.x, isStacked, {});
  return {
    type: isBar ? "bar" : "line",
    data: {labels: chart.labels, datasets},
    options: {
      indexAxis: horizontal ? "y" : "x",
      responsive: true,
      maintainAspectRatio: false,
      animation: false,
      interaction: {mode: "index", intersect: false},
      plugins: {legend: {position: "bottom", labels: {color: color("ink"), boxWidth: 14}}},
      scales: horizontal ? {x: values, y: names} : {x: names, y: values},
    },
  };
}

function draw() {
  for (const canvas of document.querySelectorAll("canvas[data-chart]")) {
    const old = Chart.getChart(canvas);
    if (old) old.destroy();
    new Chart(canvas, configuration(charts[canvas.dataset.chart]));
  }
}

draw();
window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
